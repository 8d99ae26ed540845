import { Option } from 'commander';
import type { TokenFields } from '#libs/client/index.js';
import { requestFields } from './command.js';
import { requestCommand } from './session.js';

export const token = requestCommand({
  usage: 'token',
  meaning: 'makes a token with limits for another program, and shows it once',
  options: [
    new Option('--scope <scope>', 'what the token may do').choices(['all', 'work', 'read']).default('work'),
    new Option('--spend-usd-a-day <usd>', 'the most that it may spend in 24 hours; without it there is no limit'),
  ],
  example: 'token --scope work --spend-usd-a-day 1',
  act: (client, args) => client.token({ ...requestFields<TokenFields>(args), action: 'issue' }),
  describe: ({ token: text }) => text ?? 'No token was made.',
});
