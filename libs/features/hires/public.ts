export { CompleteHire } from './complete-hire.js';
export { DigestReader } from './digest-reader.port.js';
export * from './hire-rules.js';
