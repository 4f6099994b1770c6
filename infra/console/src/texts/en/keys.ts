/** The keys of the console, for people who use no mouse. */
export const keys = {
  title: 'Keyboard',
  keys: [
    ['/', 'Go to the search or the first filter of the page'],
    ['?', 'Show this list'],
    ['Esc', 'Close a question'],
    ['Tab', 'Go to the next field, link or button'],
  ] satisfies (readonly [string, string])[],
  on: 'Use / and ?',
}
