export { SentRequests } from './sent-requests.port.js';
export { assertAccepting, assertNotOwnBlock, identitiesIn, Reach } from './reach.js';
