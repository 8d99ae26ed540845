import { expect, test } from '@jest/globals';
import { operatorOf } from '#libs/features/operators/key-directory.js';
import { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';

const safeFetch = new SafeFetch();
const directory = (origin: string) => `${origin}/.well-known/http-message-signatures-directory`;

test.each([
  ['https://operator.example', 'operator.example', 'https://operator.example'],
  ['https://OPERATOR.example:443/bots?a=b#c', 'operator.example', 'https://operator.example'],
  ['https://operator.example:8443', 'operator.example:8443', 'https://operator.example:8443'],
  ['https://operator.example.', 'operator.example', 'https://operator.example.'],
  ['https://operator.example.:8443', 'operator.example:8443', 'https://operator.example.:8443'],
])('the domain of %s is %s', (agent, domain, origin) => {
  expect(operatorOf(agent, safeFetch)).toEqual({ domain, directory: directory(origin) });
});

test.each([
  'http://operator.example',
  'data:application/json,{}',
  'operator.example',
  '',
  'https://a@operator.example',
])('%s does not name an operator', agent => {
  expect(() => operatorOf(agent, safeFetch)).toThrow(expect.objectContaining({ code: 'signature_agent' }));
});
