import { startActions } from './forms/actions.js';

await startActions();
