export { allowRecovery, resumeRecovery } from './allow-recovery.js';
