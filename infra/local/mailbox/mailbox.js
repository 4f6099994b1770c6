// The mailbox by itself: new mails appear, the list is searched, mails are deleted.
const POLL_MS = 1500
const MAILBOX = '/_local/mail'

const search = document.querySelector('#search')
const news = document.querySelector('#news')
let known = document.querySelector('.mailbox').dataset.etag

document.querySelector('.tools').hidden = false
search.addEventListener('input', filter)
document.querySelector('#delete-all').addEventListener('click', async () => {
  await fetch(MAILBOX, { method: 'DELETE' })
  await refresh()
})
document.addEventListener('click', async ({ target }) => {
  const id = target.dataset?.delete
  if (id === undefined) return
  await fetch(`${MAILBOX}?id=${encodeURIComponent(id)}`, { method: 'DELETE' })
  history.replaceState(null, '', MAILBOX)
  await refresh()
})

prepare()
setInterval(() => {
  // A hidden tab asks nothing; it is up to date as soon as it is looked at.
  if (document.visibilityState === 'visible') refresh().catch(() => {})
}, POLL_MS)
document.addEventListener('visibilitychange', () => refresh().catch(() => {}))

/** Takes over the server's page if it differs. Leaves the open mail untouched, so that its frame does not load again. */
async function refresh() {
  const answer = await fetch(location.pathname + location.search, { headers: { 'if-none-match': known } })
  if (answer.status === 304 || !answer.ok) return
  known = answer.headers.get('etag') ?? ''
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const count = document.querySelectorAll('#list li').length
  document.title = fresh.title
  take(fresh, '#list')
  const open = fresh.querySelector('#mail [data-delete]')?.dataset.delete
  if (open !== document.querySelector('#mail [data-delete]')?.dataset.delete) take(fresh, '#mail')
  document
    .querySelector('.mailbox')
    .toggleAttribute('data-chosen', fresh.querySelector('.mailbox[data-chosen]') !== null)
  prepare()
  const added = document.querySelectorAll('#list li').length - count
  if (added > 0) news.textContent = added === 1 ? 'A new mail' : `${added} new mails`
}

function take(fresh, selector) {
  const [from, to] = [fresh.querySelector(selector), document.querySelector(selector)]
  const focused = to.contains(document.activeElement) ? document.activeElement.dataset.id : undefined
  to.replaceChildren(...from.childNodes)
  to.hidden = from.hidden
  if (focused !== undefined) to.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus()
}

function prepare() {
  for (const button of document.querySelectorAll('[data-delete]')) button.hidden = false
  window.prepareCopyButtons()
  filter()
}

function filter() {
  const wanted = search.value.trim().toLowerCase()
  let shown = 0
  for (const row of document.querySelectorAll('#list li')) {
    const [subject, to] = ['strong', 'span'].map((name) => row.querySelector(name).textContent.toLowerCase())
    row.hidden = !subject.includes(wanted) && !to.includes(wanted)
    if (!row.hidden) shown += 1
  }
  document.querySelector('#none').hidden = shown > 0 || document.querySelector('#list li') === null
}
