import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { Icon } from './Icon.tsx'

const SHOWN_MS = 6000

const ToastContext = createContext<(text: string) => void>(() => {})

/** Says that something has succeeded, for some seconds, also to screen readers. */
export function useToast(): (text: string) => void {
  return useContext(ToastContext)
}

/** Shows what its children say with `useToast`. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly { id: number; text: string }[]>([])
  const next = useRef(0)
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())

  const say = useCallback((text: string) => {
    const id = next.current++
    // One at a time: what was said before has been seen, or is in the page.
    setToasts([{ id, text }])
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
        {toasts.map(({ id, text }) => (
          <p key={id} className="toast">
            <Icon name="check" />
            {text}
          </p>
        ))}
      </div>
    </ToastContext>
  )
}
