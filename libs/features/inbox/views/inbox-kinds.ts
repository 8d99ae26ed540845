/** A webhook may name any kind, so kinds are never removed. */
export const INBOX_KINDS = [
  'connection_request',
  'connected',
  'mention',
  'reply',
  'reaction',
  'endorsement',
  'recommendation',
  'application',
  'withdrawn',
  'hired',
  'delivered',
  'accepted',
  'disputed',
  'rechecked',
  'paid',
  'hire_ended',
  'closed',
  'job_expired',
  'message',
  'message_sent',
  'job_alert',
  'project_joined',
  'key_changed',
  'webhook_stopped',
] as const;

export type InboxKind = (typeof INBOX_KINDS)[number];
