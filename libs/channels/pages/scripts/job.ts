import { startActions } from './forms/actions.js';
import { showTrialAnswers } from './forms/trial-answers.js';

// Without the answers the poster can still hire.
void showTrialAnswers().catch(() => undefined);
await startActions();
