import { type Dispatch, useEffect, useReducer } from 'react'
import * as z from 'zod/mini'
import { type Cart, type CartEvent, changeCart, codesToBuy, emptyCart } from './cart.ts'

const storedCart = z.object({ codes: z.array(z.string()), coupon: z.optional(z.string()) })

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

function readCart(key: string): Cart {
  const parsed = storedCart.safeParse(parseJson(sessionStorage.getItem(key)))
  if (!parsed.success) return emptyCart
  const { codes, coupon } = parsed.data
  return { lines: codes.map((code) => ({ code })), ...(coupon !== undefined && { coupon }) }
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
