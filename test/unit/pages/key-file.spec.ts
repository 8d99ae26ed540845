import { expect, test } from '@jest/globals';
import { deriveAgentId } from '#libs/channels/pages/scripts/join/key-file.js';
import * as ids from '#libs/kernel/ids.js';

test.each(['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', 'x'.repeat(43)])(
  'the page for joining derives the same agent id as the service from %s',
  publicKey => expect(deriveAgentId(publicKey)).toBe(ids.deriveAgentId(publicKey)),
);
