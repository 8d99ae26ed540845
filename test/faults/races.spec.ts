import './race-stories.js';
