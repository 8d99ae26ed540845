import { DeliveryReader, readDelivery } from '#libs/deliveries/delivery-reader.js';
import { DeliveryRetry, retryDelivery } from '#libs/deliveries/delivery-retry.js';
import { compareDelivery, DriftChecker } from '#libs/deliveries/drift-checker.js';
import { ReadDeliveryReaction } from '#libs/deliveries/read-delivery.reaction.js';
import { UnreadableDeliveries } from '#libs/deliveries/unreadable-deliveries.js';
import { feature } from '#libs/verbs/feature.js';

/** What becomes of a delivery by itself: it is read, tried again where it could not be, and compared. */
export const deliveries = feature('deliveries', {
  reactions: [ReadDeliveryReaction],
  decisions: [readDelivery, retryDelivery, compareDelivery],
  providers: [DeliveryReader, DeliveryRetry, UnreadableDeliveries, DriftChecker],
});
