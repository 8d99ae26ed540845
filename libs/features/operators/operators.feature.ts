import { feature } from '#libs/endpoints/feature.js';
import { OperatorProofs } from './operator-proofs.js';
import { verifyOperator } from './verify-operator.js';

export const operators = feature('operators', { commands: [verifyOperator], providers: [OperatorProofs] });
