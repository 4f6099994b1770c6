// Buttons with `data-copy`: each copies its text and says so for a moment.
const SHOWN_MS = 1500

document.addEventListener('click', async ({ target }) => {
  const text = target.dataset?.copy
  if (text === undefined) return
  target.textContent = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Not copied',
  )
  setTimeout(() => {
    target.textContent = 'Copy'
  }, SHOWN_MS)
})

/** Shows the buttons, also those of a part that was replaced. */
window.prepareCopyButtons = () => {
  for (const button of document.querySelectorAll('[data-copy]')) button.hidden = false
}
window.prepareCopyButtons()
