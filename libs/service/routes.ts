import { FEATURES } from '#libs/features/features.js';
import { Routes } from '#libs/http/routes.js';

export const ROUTES = new Routes(FEATURES.flatMap(({ routes }) => routes));
