import { element, reconcile, showParts } from './dom.js'
import { date } from './format.js'
import { curlOf } from './story.js'

const find = (selector) => document.querySelector(selector)

function partsOf({ at, text, id, about }) {
  const other = about === undefined ? [] : [{ kind: 'id', text: about }]
  return [{ kind: 'time', text: date(at, 'second') }, { kind: 'strong', text }, { kind: 'id', text: id }, ...other]
}

/**
 * Lets every id open its object as JSON, with its story; `objectOf` looks an object up, `storyOf` lists what happened to it, and `filterBy`
 * narrows the page to what names it. A request is copied as a command of curl.
 */
export function connectInspector({ objectOf, storyOf, filterBy }) {
  const dialog = find('#inspector')
  const text = dialog.querySelector('textarea')
  let shown

  function show(id) {
    shown = objectOf(id)
    find('#inspector-title').textContent = id
    find('#inspector-curl').hidden = !id.startsWith('req_') || shown === undefined
    text.value = shown ? JSON.stringify(shown, null, 2) : 'It is not stored any more.'
    reconcile(
      find('#story'),
      storyOf(id),
      () => element('li'),
      (node, step) => showParts(node, partsOf(step)),
    )
    find('#story-title').hidden = find('#story').children.length === 0
    if (!dialog.open) dialog.showModal()
    dialog.scrollTop = 0
  }

  document.addEventListener('click', ({ target }) => {
    if (target.dataset?.inspect !== undefined) show(target.dataset.inspect)
  })
  find('#inspector-curl').addEventListener('click', async () => {
    text.value = curlOf(shown, location.origin)
    text.select()
    // A browser may forbid it: the command is selected for the reader then.
    await navigator.clipboard?.writeText(text.value).catch(() => {})
  })
  find('#inspector-filter').addEventListener('click', () => {
    dialog.close()
    filterBy(find('#inspector-title').textContent)
  })
}
