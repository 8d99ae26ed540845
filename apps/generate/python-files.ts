import { FEATURES } from '#libs/features/features.js';
import { blockingClient, pythonCodes, pythonSource } from './python-client.js';

/** Modules of the Python client that the build makes, by their file names. */
export const pythonFiles = (asyncClient: string): { readonly [file: string]: string } => ({
  'client.py': blockingClient(asyncClient),
  'codes.py': pythonCodes(),
  'operations.py': pythonSource(FEATURES),
});
