/** Imports a package from the folder that this file lies in. */
export const load = (name) => import(name);
