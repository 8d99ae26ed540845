import { feature } from '#libs/endpoints/feature.js';
import { awardEscrow } from './award-escrow.js';
import { CompleteHire, completeHire, UnfinishedHires } from './complete-hire.js';
import { DeadlineClock, endLateHire, remindWorker } from './deadline-clock.js';
import { endHire } from './end-hire.js';
import { EndUndelivered, endUndelivered } from './end-undelivered.js';
import { decideEscrowByClock, EscrowClock, remindOfEscrowReview } from './escrow-clock.js';
import { FollowEscrow, followEscrow } from './follow-escrow.js';
import { FreeSeat, freeSeat } from './free-seat.js';
import { hire } from './hire.js';
import { PayClock, sayWageDue } from './pay-clock.js';

export const hires = feature('hires', {
  commands: [hire, endHire],
  reactions: [CompleteHire, FreeSeat, EndUndelivered, FollowEscrow],
  decisions: [
    completeHire,
    freeSeat,
    endUndelivered,
    decideEscrowByClock,
    remindOfEscrowReview,
    followEscrow,
    awardEscrow,
    endLateHire,
    remindWorker,
    sayWageDue,
  ],
  providers: [UnfinishedHires, EscrowClock, DeadlineClock, PayClock],
});
