import { feature } from '#libs/endpoints/feature.js';
import { message } from './message.js';
import { messages as conversation } from './messages.js';

export const messages = feature('messages', {
  commands: [message],
  privateQueries: [conversation],
});
