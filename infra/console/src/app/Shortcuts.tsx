import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { LazyPart } from '../loading/LazyPart.tsx'
import { keyTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Icon } from '../ui/Icon.tsx'
import { areKeysOn } from './keySetting.ts'

const dialog = async () => (await import('./KeysDialog.tsx')).KeysDialog

/** The keys of the console: `/` goes to the search of the page, `?` shows all keys, as does its button. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  const { app } = useTexts()
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (!isShortcut(event)) return
      if (event.key === '?') setOpen(true)
      const search = event.key === '/' && document.querySelector<HTMLElement>('main search :is(input, select)')
      if (!search) return
      event.preventDefault()
      search.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <button type="button" className="nav-link keys-button" onClick={() => setOpen(true)}>
        <Icon name="terminal" />
        {app.keys}
      </button>
      {isOpen &&
        // The menu, which has the button, is hidden on a phone.
        createPortal(
          <LazyPart name="keys" load={dialog} texts={keyTexts} props={{ onClose: () => setOpen(false) }} />,
          document.body,
        )}
    </>
  )
}

/** Not while a person types or answers a question, and not with a key of the browser or the system. */
function isShortcut({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented || !areKeysOn()) return false
  const isTyping = target instanceof Element && target.closest('input, select, textarea') !== null
  return !isTyping && document.querySelector('dialog[open]') === null
}
