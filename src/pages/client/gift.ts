/**
 * The script of the gift page: reports to the window that opened it what became of the gift, at origins the app has
 * registered, and counts the minutes down. Nothing depends on the message.
 */
import { pageData } from './lib/page.ts';

interface GiftPage {
  intentId: string;
  status: string;
  targets: string[];
  expiresAt: number;
  nowMs: number;
}

const page = pageData<GiftPage>();

if (page.status === 'pending') {
  // Not when it is over by our clock but not by the database's: the page would load itself again and again.
  if (page.expiresAt > page.nowMs) countDown();
} else {
  const { intentId, status } = page;
  for (const target of page.targets) window.opener?.postMessage({ type: 'svc:gift', status, intentId }, target);
  const close = document.getElementById('close');
  if (close && window.opener) {
    close.hidden = false;
    close.addEventListener('click', () => window.close());
  }
}

/** Shows how long the offer stands; at its end the page is loaded again and shows that it has expired. */
function countDown(): void {
  const left = document.getElementById('left');
  const endsAt = performance.now() + page.expiresAt - page.nowMs;
  const tick = (): void => {
    const seconds = Math.ceil((endsAt - performance.now()) / 1_000);
    if (seconds <= 0) {
      location.reload();
      return;
    }
    const minutes = Math.floor(seconds / 60);
    if (left) left.textContent = `This offer ends in ${minutes}:${String(seconds % 60).padStart(2, '0')}.`;
    setTimeout(tick, 1_000);
  };
  tick();
}
