// Buttons with `data-copy`: each copies its text and says so for a moment.
const SHOWN_MS = 1500

for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  const label = button.textContent
  let timer
  button.addEventListener('click', async () => {
    clearTimeout(timer)
    try {
      await navigator.clipboard.writeText(button.dataset.copy)
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Not copied'
    }
    timer = setTimeout(() => {
      button.textContent = label
    }, SHOWN_MS)
  })
}
