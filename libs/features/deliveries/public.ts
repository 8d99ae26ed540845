export { DeliveryReader } from './delivery-reader.js';
export { DriftChecker } from './drift-checker.js';
