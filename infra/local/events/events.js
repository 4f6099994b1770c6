// Takes over new events of the receiver's page, here and on the first page. Open events stay open.
const POLL_MS = 1500
let known = ''

async function refresh() {
  const answer = await fetch('/_local/events', { headers: { 'if-none-match': known } })
  if (answer.status === 304 || !answer.ok) return
  known = answer.headers.get('etag') ?? ''
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const list = document.querySelector('#events')
  const open = new Set([...list.querySelectorAll('details[open]')].map(({ dataset }) => dataset.id))
  const focused = list.contains(document.activeElement) && document.activeElement.closest('details')?.dataset.id
  list.replaceChildren(...fresh.querySelector('#events').childNodes)
  for (const details of list.querySelectorAll('details')) {
    details.open = open.has(details.dataset.id)
    if (details.dataset.id === focused) details.querySelector('summary').focus()
  }
  if (location.pathname === '/_local/events') document.title = fresh.title
  window.prepareCopyButtons()
}

setInterval(() => {
  // A hidden tab asks nothing; it is up to date as soon as it is looked at.
  if (document.visibilityState === 'visible') refresh().catch(() => {})
}, POLL_MS)
document.addEventListener('visibilitychange', () => refresh().catch(() => {}))
refresh().catch(() => {})
