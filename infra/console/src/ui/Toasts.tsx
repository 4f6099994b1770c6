import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from './Icon.tsx'

const SHOWN_MS = 6000

/**
 * @param icon by default a check mark, when something has succeeded
 */
type Say = (text: string, icon?: IconName) => void

const ToastContext = createContext<Say>(() => {})

/** Says that something has succeeded, or not begun, for some seconds, also to screen readers. */
export function useToast(): Say {
  return useContext(ToastContext)
}

/** Shows the messages that its children send with `useToast`. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly { id: number; text: string; icon: IconName }[]>([])
  const next = useRef(0)
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())

  const say = useCallback<Say>((text, icon = 'check') => {
    const id = next.current++
    // One at a time: the user has seen the previous message, or finds it in the page.
    setToasts([{ id, text, icon }])
    const timer = setTimeout(() => {
      timers.current.delete(timer)
      setToasts((shown) => shown.filter((toast) => toast.id !== id))
    }, SHOWN_MS)
    timers.current.add(timer)
  }, [])

  useEffect(() => {
    const started = timers.current
    return () => {
      for (const timer of started) clearTimeout(timer)
    }
  }, [])

  return (
    <ToastContext value={say}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text, icon }) => (
          <p key={id} className="toast">
            <Icon name={icon} />
            {text}
          </p>
        ))}
      </div>
    </ToastContext>
  )
}
