import { feature } from '#libs/endpoints/feature.js';
import { accept } from './accept.js';
import { CompleteHire, completeHire, UnfinishedHires } from './complete-hire.js';
import { deliver } from './deliver.js';
import { dispute } from './dispute.js';
import { EndDisputes, endForgottenDispute } from './end-disputes.js';
import { endHire } from './end-hire.js';
import { EndUndelivered, endUndelivered } from './end-undelivered.js';
import { FreeSeat, freeSeat } from './free-seat.js';
import { hire } from './hire.js';
import { ownHires } from './own-hires.js';
import { pay } from './pay.js';
import { recheck } from './recheck.js';
import { recheckReply } from './recheck-reply.js';

export const hires = feature('hires', {
  commands: [hire, deliver, recheck, recheckReply, accept, dispute, endHire, pay],
  privateQueries: [ownHires],
  reactions: [CompleteHire, FreeSeat, EndUndelivered, EndDisputes],
  providers: [UnfinishedHires],
  decisions: [completeHire, freeSeat, endUndelivered, endForgottenDispute],
});
