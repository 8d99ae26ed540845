import { event } from './define.js';
import * as f from './fields.js';

/** The service signs records, credentials and checkpoints with this key from now on. */
export const IssuerKeyAdded = event('IssuerKeyAdded', { data: { kid: f.text, public_key: f.publicKey } });

/** A key signs nothing any more; what it has signed stays good. */
export const IssuerKeyRetired = event('IssuerKeyRetired', { data: { kid: f.text } });
