import { Connected, ConnectionRequested } from '#libs/features/network/domain/connection.js';
import { Endorsed, Recommended } from '#libs/features/network/domain/endorsement.js';
import { notifyOn } from '#libs/views/notifications.js';

export const NETWORK_NOTIFICATIONS = [
  notifyOn(ConnectionRequested, ({ data: { by, to } }) => [[to, 'connection_request', { from: by }]]),
  notifyOn(Connected, ({ data: { by, to } }) => [[to, 'connected', { with: by }]]),
  notifyOn(Endorsed, ({ data: { from, to, skill, hire } }) => [[to, 'endorsement', { from, skill, hire }]]),
  notifyOn(Recommended, ({ data: { from, to } }) => [[to, 'recommendation', { from }]]),
];
