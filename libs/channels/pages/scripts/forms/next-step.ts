import { createElement, element } from '../dom.js';

/** Shows a button at the top of the page that opens the first main step of the reader. */
export function showNextStep(): void {
  const step = document.querySelector<HTMLElement>('.action:not([hidden]) :is(summary, form > button).main');
  if (!step) return;
  const button = Object.assign(createElement('button', `Your next step: ${step.textContent}`), { type: 'button' });
  button.className = 'main';
  button.addEventListener('click', () => {
    const form = step.closest('details');
    form?.setAttribute('open', '');
    step.scrollIntoView();
    (form?.querySelector<HTMLElement>('input, select, textarea') ?? step).focus({ preventScroll: true });
  });
  const place = element('next-step');
  place.replaceChildren(button);
  place.hidden = false;
}
