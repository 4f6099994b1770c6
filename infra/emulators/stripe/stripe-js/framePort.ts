import { openMessage } from './messages.ts'

/** In a frame: resolves with the port that the page's script hands over, once; other messages are ignored. */
export function receivePort(): Promise<MessagePort> {
  return new Promise((resolve) => {
    const receive = (event: MessageEvent<unknown>) => {
      const [port] = event.ports
      if (event.data !== openMessage || port === undefined) return
      removeEventListener('message', receive)
      resolve(port)
    }
    addEventListener('message', receive)
  })
}

/** A page of the emulator in a frame that the page around it cannot be seen through, in its color scheme. */
export function newFrame(url: string, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.src = url
  frame.title = title
  frame.allow = 'payment *'
  Object.assign(frame.style, { border: '0', display: 'block', width: '100%', background: 'transparent' })
  return frame
}

/** Hands a frame the other end of a channel once it has loaded. */
export function openPort(frame: HTMLIFrameElement, origin: string): MessagePort {
  const { port1, port2 } = new MessageChannel()
  frame.addEventListener('load', () => frame.contentWindow?.postMessage(openMessage, origin, [port2]), { once: true })
  return port1
}

/** The color scheme in which a browser paints an element. */
export function schemeOf(element: Element): 'light' | 'dark' {
  const allowed = getComputedStyle(element).colorScheme.split(' ')
  if (!allowed.includes('dark')) return 'light'
  return !allowed.includes('light') || matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
