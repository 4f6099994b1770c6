import { newFrame, openPort, schemeOf } from './framePort.ts'
import type { ChallengeRequest, FromChallengeFrame, ToChallengeFrame } from './messages.ts'

/** Shows the bank's 3-D Secure page over the page. Resolves when it is over; the focus returns to the element that had it. */
export function showChallenge(
  origin: string,
  request: Pick<ChallengeRequest, 'publishableKey' | 'clientSecret'>,
): Promise<void> {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', '3D Secure authentication')
  const edges = { position: 'fixed', inset: '0', width: '100%', height: '100%', maxWidth: 'none', maxHeight: 'none' }
  Object.assign(dialog.style, edges, { border: '0', padding: '0', margin: '0', background: 'transparent' })
  const frame = newFrame(`${origin}/v3/challenge.html`, '3D Secure authentication')
  frame.style.height = '100%'
  const port = openPort(frame, origin)
  dialog.append(frame)
  document.body.append(dialog)
  const scheme = schemeOf(document.body)
  frame.style.colorScheme = scheme
  const before = document.activeElement
  return new Promise((resolve) => {
    const say = (message: ToChallengeFrame) => port.postMessage(message)
    let isOver = false
    // The page in the frame hears Escape itself; here it is heard while the focus is on the dialog around it.
    dialog.addEventListener('cancel', (event) => event.preventDefault())
    dialog.addEventListener('keydown', ({ key }) => key === 'Escape' && say({ type: 'close' }))
    dialog.addEventListener('close', () => !isOver && say({ type: 'close' }))
    port.addEventListener('message', ({ data }: MessageEvent<FromChallengeFrame>) => {
      if (data.type !== 'done') return
      isOver = true
      dialog.close()
      dialog.remove()
      port.close()
      if (before instanceof HTMLElement) before.focus()
      resolve()
    })
    port.start()
    say({ type: 'open', ...request, scheme })
    dialog.showModal()
    frame.focus()
  })
}
