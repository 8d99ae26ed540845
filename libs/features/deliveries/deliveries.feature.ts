import { feature } from '#libs/endpoints/feature.js';
import { DigestReader } from '#libs/features/hires/public.js';
import { accept } from './accept.js';
import { askPayout } from './ask-payout.js';
import { deliver } from './deliver.js';
import { DeliveryReader, readDelivery, ReadDeliveryReaction } from './delivery-reader.js';
import { dispute } from './dispute.js';
import { compareDelivery, DriftChecker } from './drift-checker.js';
import { EndDisputes, endForgottenDispute } from './end-disputes.js';
import { ownHires } from './own-hires.js';
import { pay } from './pay.js';
import { recheck } from './recheck.js';
import { recheckReply } from './recheck-reply.js';
import { revise } from './revise.js';
import { role } from './role.js';
import { roleHires } from './role-hires.js';
import { DeliveryRetry, retryDelivery, UnreadableDeliveries } from './unreadable-deliveries.js';

export const deliveries = feature('deliveries', {
  commands: [deliver, recheck, recheckReply, accept, revise, dispute, askPayout, pay],
  queries: [role, roleHires],
  privateQueries: [ownHires],
  reactions: [ReadDeliveryReaction, EndDisputes],
  decisions: [readDelivery, retryDelivery, compareDelivery, endForgottenDispute],
  providers: [
    DeliveryReader,
    { provide: DigestReader, useExisting: DeliveryReader },
    DeliveryRetry,
    UnreadableDeliveries,
    DriftChecker,
  ],
});
