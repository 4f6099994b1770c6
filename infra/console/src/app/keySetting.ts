const KEY = 'console:keys'

/** Whether single keys do something (WCAG 2.2, 2.1.4: a person who speaks to the computer can switch them off). */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

/** Keeps the choice in this browser, if it stores anything. */
export function switchKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // A private window: the keys stay on.
  }
}
