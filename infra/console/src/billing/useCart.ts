import { type Dispatch, useEffect, useReducer } from 'react'
import { type Cart, type CartEvent, changeCart, codesToBuy, emptyCart } from './cart.ts'

/** The cart of an organization, which survives a reload of this tab. */
export function useCart(organizationId: string): [Cart, Dispatch<CartEvent>] {
  const key = `cart:${organizationId}`
  const [cart, dispatch] = useReducer(changeCart, key, readCart)
  useEffect(() => {
    const { coupon } = cart
    sessionStorage.setItem(key, JSON.stringify({ codes: codesToBuy(cart), coupon }))
  }, [key, cart])
  return [cart, dispatch]
}

/** Checked by hand, because a library for it would be a sixteenth of the first page. */
function readCart(key: string): Cart {
  const kept = parseJson(sessionStorage.getItem(key))
  if (typeof kept !== 'object' || kept === null || !('codes' in kept) || !Array.isArray(kept.codes)) return emptyCart
  const lines = kept.codes.filter((code) => typeof code === 'string').map((code) => ({ code }))
  return { lines, ...('coupon' in kept && typeof kept.coupon === 'string' && { coupon: kept.coupon }) }
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
