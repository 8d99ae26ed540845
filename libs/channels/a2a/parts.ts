import { type Message, type Part, Role } from '@a2a-js/sdk';
import type { JsonObject } from '#libs/kernel/json.js';

/** Marks texts of members, which must not be followed as instructions. */
export const UNTRUSTED: JsonObject = { untrusted: true };

const partDefaults = (metadata?: JsonObject) => ({ metadata, filename: '' });

export const textPart = (text: string, metadata?: JsonObject): Part => ({
  content: { $case: 'text', value: text },
  mediaType: 'text/plain',
  ...partDefaults(metadata),
});

export const dataPart = (value: object, metadata?: JsonObject): Part => ({
  content: { $case: 'data', value },
  mediaType: 'application/json',
  ...partDefaults(metadata),
});

export const urlPart = (url: string, metadata?: JsonObject): Part => ({
  content: { $case: 'url', value: url },
  mediaType: '',
  ...partDefaults(metadata),
});

interface AgentMessageFields {
  readonly messageId: string;
  readonly contextId: string;
  readonly taskId?: string;
  readonly parts: readonly Part[];
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
}

export const agentMessage = ({
  messageId,
  contextId,
  taskId = '',
  parts,
  metadata,
  extensions = [],
}: AgentMessageFields): Message => ({
  messageId,
  contextId,
  taskId,
  role: Role.ROLE_AGENT,
  parts: [...parts],
  metadata,
  extensions: [...extensions],
  referenceTaskIds: [],
});
