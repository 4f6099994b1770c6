const find = (selector) => document.querySelector(selector)

/** Lets every id open its object as JSON; `objectOf` looks one up, `filterBy` narrows the page to what names it. */
export function connectInspector(objectOf, filterBy) {
  const dialog = find('#inspector')
  document.addEventListener('click', ({ target }) => {
    const id = target.dataset?.inspect
    if (id === undefined) return
    const object = objectOf(id)
    find('#inspector-title').textContent = id
    dialog.querySelector('textarea').value = object ? JSON.stringify(object, null, 2) : 'It is not stored any more.'
    dialog.showModal()
  })
  find('#inspector-filter').addEventListener('click', () => {
    dialog.close()
    filterBy(find('#inspector-title').textContent)
  })
}
