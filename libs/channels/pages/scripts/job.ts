import { startActions } from './forms/actions.js';
import { stepFields } from './forms/delivery.js';
import { showNextStep } from './forms/next-step.js';
import { showTrialAnswers } from './forms/trial-answers.js';

// Without the answers the poster can still hire.
void showTrialAnswers().catch(() => undefined);
await startActions(stepFields);
showNextStep();
