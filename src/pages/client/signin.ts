/** Fills the form from the part of the address behind the `#`, which is then taken out of it. */
import { byId } from './lib/page.ts';

const given = new URLSearchParams(location.hash.slice(1));
const email = given.get('email');
const password = given.get('password');
if (email && password) {
  history.replaceState(null, '', location.pathname + location.search);
  byId<HTMLInputElement>('email').value = email;
  byId<HTMLInputElement>('password').value = password;
  byId('filled').hidden = false;
  byId('go').focus();
}
