import { DeliveryReader, readDelivery, ReadDeliveryReaction } from './delivery-reader.js';
import { compareDelivery, DriftChecker } from './drift-checker.js';
import { DeliveryRetry, retryDelivery, UnreadableDeliveries } from './unreadable-deliveries.js';
import { feature } from '#libs/endpoints/feature.js';

export const deliveries = feature('deliveries', {
  reactions: [ReadDeliveryReaction],
  decisions: [readDelivery, retryDelivery, compareDelivery],
  providers: [DeliveryReader, DeliveryRetry, UnreadableDeliveries, DriftChecker],
});
