import type { keys as en } from '../en/keys.ts'

/** The keys of the console, for people who use no mouse. */
export const keys: typeof en = {
  title: 'Tastatur',
  keys: [
    ['/', 'Zur Suche oder zum ersten Filter der Seite'],
    ['?', 'Diese Liste zeigen'],
    ['Esc', 'Eine Frage schließen'],
    ['Tab', 'Zum nächsten Feld, Link oder Knopf'],
  ],
  on: '/ und ? verwenden',
}
