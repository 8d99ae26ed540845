/** Parts of the hires that other features use. */
export { CompleteHire } from './complete-hire.js';
