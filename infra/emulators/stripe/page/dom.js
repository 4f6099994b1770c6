/** A new element: `class`, `text` and attributes by name, then children. */
export function element(name, { text, ...attributes } = {}, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  if (text !== undefined) node.textContent = text
  node.append(...children)
  return node
}

/** Writes text only if it differs, so a selection in it survives. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text
}

/** Writes an attribute only if it differs. */
export function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value)
}

/** Focus that would vanish with its element goes to the heading of its section. */
function remove(node) {
  const heading = node.contains(document.activeElement) ? node.closest('section, details')?.querySelector('h2') : null
  node.remove()
  heading?.focus()
}

/**
 * Makes the children of `parent` show `items`: an element stays the same for the same key, so focus, selection and what is unfolded
 * in it survive. `create` and `update` get the item; `update` also runs on new elements. Items without an id are known by their place.
 */
export function reconcile(parent, items, create, update, keyOf = ({ id }, index) => id ?? String(index)) {
  const keys = new Set(items.map(keyOf))
  const known = new Map()
  for (const node of [...parent.children]) {
    if (keys.has(node.dataset.key)) known.set(node.dataset.key, node)
    else remove(node)
  }
  items.forEach((item, index) => {
    const key = keyOf(item, index)
    const node = known.get(key) ?? create(item)
    node.dataset.key = key
    update(node, item)
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null)
  })
}

const creators = {
  id: ({ text }) =>
    element('button', { type: 'button', class: 'id', 'data-inspect': text, 'aria-label': `Inspect ${text}` }),
  time: () => element('time'),
  action: ({ label, target }) =>
    element('button', { type: 'button', class: 'action', 'data-target': target, 'aria-label': label }),
}

/** Shows a line of parts `{kind, text, tone?, target?, label?}`; kinds: `action` (a button for its target), `id` (opens the object), `badge`, `money`, `mono`, `small`, `strong`, `time`, `text`. */
export function showParts(parent, parts) {
  reconcile(
    parent,
    parts,
    (part) => creators[part.kind]?.(part) ?? element('span'),
    (node, part) => {
      setText(node, part.text)
      if (creators[part.kind] === undefined || part.kind === 'time')
        setAttribute(node, 'class', part.tone ? `${part.kind} ${part.tone}` : part.kind)
    },
    ({ kind, text, target = '' }, index) => `${index} ${kind} ${kind === 'id' ? text : target}`,
  )
}
