import { feature } from '#libs/endpoints/feature.js';
import { instant } from './instant.js';
import { instantAnswer } from './instant-answer.js';
import { acceptAnswer, deliverAnswer, fillTaskRole } from './passed-rules.js';
import { PassedTasks } from './passed-tasks.js';
import { instantSubmit } from './instant-submit.js';

export const instantFeature = feature('instant', {
  commands: [instant, instantSubmit],
  queries: [instantAnswer],
  reactions: [PassedTasks],
  decisions: [fillTaskRole, deliverAnswer, acceptAnswer],
});
