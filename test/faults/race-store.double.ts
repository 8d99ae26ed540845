import { openDouble, raceStore } from './race-store.js';

raceStore.open = openDouble;
