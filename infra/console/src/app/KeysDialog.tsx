import { useState } from 'react'
import { keyTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/ConfirmDialog.tsx'
import { areKeysOn, switchKeys } from './keySetting.ts'

/** Lists the keys of the console, and switches them off. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { ui } = useTexts()
  const texts = usePartTexts(keyTexts)
  const [isOn, setOn] = useState(areKeysOn)
  return (
    <Dialog title={texts.title} onClose={onClose} actions={<Button onClick={onClose}>{ui.close}</Button>}>
      <dl className="keys">
        {texts.keys.map(([key, effect]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <label className="option">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            switchKeys(target.checked)
            setOn(target.checked)
          }}
        />
        {texts.on}
      </label>
    </Dialog>
  )
}
