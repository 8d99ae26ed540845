import { DeliveryReader, readDelivery } from './delivery-reader.js';
import { DeliveryRetry, retryDelivery } from './delivery-retry.js';
import { compareDelivery, DriftChecker } from './drift-checker.js';
import { ReadDeliveryReaction } from './read-delivery.reaction.js';
import { UnreadableDeliveries } from './unreadable-deliveries.js';
import { feature } from '#libs/endpoints/feature.js';

export const deliveries = feature('deliveries', {
  reactions: [ReadDeliveryReaction],
  decisions: [readDelivery, retryDelivery, compareDelivery],
  providers: [DeliveryReader, DeliveryRetry, UnreadableDeliveries, DriftChecker],
});
