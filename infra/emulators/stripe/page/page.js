import { connectControls } from './controls.js'
import { setText } from './dom.js'
import { createFeed } from './feed.js'
import { connectInspector } from './inspector.js'
import { readModel } from './model.js'
import { showBadge, showNow, showPanels } from './panels.js'
import { storyOf } from './story.js'
import { addTables, showTable } from './tables.js'
import { showTimeline } from './timeline.js'

const desktop = matchMedia('(min-width: 60rem)').matches
const pageSize = desktop ? 25 : 8
const filter = document.querySelector('#filter')
addTables(document.querySelector('#main'))
const sections = [...document.querySelectorAll('[data-list]')]
const limits = new Map(sections.map((section) => [section, pageSize]))
const feed = createFeed(get)
let model

async function get(path) {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.json()
}

function showSection(section) {
  const kind = section.dataset.list
  const all = model[kind]
  const wanted = filter.value.trim().toLowerCase()
  const matching = wanted === '' ? all : all.filter((row) => JSON.stringify(row).toLowerCase().includes(wanted))
  const rows = matching.slice(-limits.get(section)).reverse()
  const [body, empty, more] = ['.timeline, table', '.empty', '.more'].map((part) => section.querySelector(part))
  body.hidden = rows.length === 0
  empty.hidden = rows.length > 0
  more.hidden = rows.length === matching.length
  setText(empty, all.length > 0 ? `None of ${all.length} ${kind} contains the filter.` : `No ${kind} yet.`)
  setText(document.querySelector(`[data-count=${kind}]`), String(matching.length))
  if (rows.length === 0) return
  if (kind === 'subscriptions') showTimeline(body, rows, model)
  else showTable(kind, body, rows, model)
}

function show() {
  showPanels(model)
  for (const section of sections) showSection(section)
}

/** Seconds after which marks of the present time have moved by something to see. */
const STEP = 60

/** Reads what has changed, and shows it; only the clock, if it has gone on by seconds. */
async function refresh() {
  const { state, requests, planted, hasChanged } = await feed.read()
  if (model !== undefined && !hasChanged && state.now - model.now < STEP) return showNow(state)
  model = readModel(state, requests, planted)
  show()
  document.body.removeAttribute('data-starting')
}

/** Refreshes every second; less often while the page is hidden or when a refresh takes long. */
async function follow() {
  const began = performance.now()
  const badge = document.querySelector('#connection')
  try {
    await refresh()
    showBadge(badge, 'Live', 'good')
  } catch (error) {
    if (!(error instanceof TypeError)) console.error(error)
    showBadge(badge, 'Not connected', 'bad')
  }
  setTimeout(follow, document.hidden ? 5000 : Math.max(1000, 5 * (performance.now() - began)))
}

function filterBy(text) {
  filter.value = text
  filter.focus()
  show()
}

for (const section of sections) {
  section.querySelector('.more').addEventListener('click', () => {
    limits.set(section, limits.get(section) + pageSize)
    showSection(section)
    if (document.activeElement.hidden) section.querySelector('h2').focus()
  })
}
for (const panel of document.querySelectorAll('details.panel')) panel.open = desktop
filter.addEventListener('input', show)
connectInspector({ objectOf: (id) => model.byId.get(id), storyOf: (id) => storyOf(id, model), filterBy })
connectControls(refresh)
await follow()
