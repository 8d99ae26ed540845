export { CompleteHire } from './complete-hire.js';
