// What the program sends, for checkers of types. Nothing here runs. The Swift types of the same names say what each means.

/** @typedef {{ kind: string, text: string, input?: string }} Value */
/** @typedef {{ kind: "provider" | "computed" | "scope" | "default", provider?: string }} Source */
/**
 * @typedef {object} Answer
 * @property {string} provider
 * @property {"value" | "absent" | "excluded" | "refused"} outcome
 * @property {Value} [value]
 * @property {string} [expires]
 * @property {string} [refusal]
 * @property {boolean} [isHeldBack]
 * @property {string} [variant]
 * @property {string} [reason]
 */
/**
 * @typedef {object} Flag
 * @property {string} id
 * @property {string} section
 * @property {string} [group]
 * @property {string} name
 * @property {string} key
 * @property {string} property
 * @property {string} description
 * @property {string} type
 * @property {{ kind: string, format?: string, minimum?: string, maximum?: string,
 *   options?: { label: string, value: Value }[] }} control
 * @property {string} [rule]
 * @property {boolean} isOptional
 * @property {{ tags: string[], owner?: string, ticket?: string, expiryDate?: string, isInternal: boolean,
 *   isLocked: boolean }} metadata
 * @property {Value} declaredDefault
 * @property {Value} value
 * @property {Source} source
 * @property {string} reason
 * @property {Answer[]} answers
 * @property {Value} defaultValue
 * @property {boolean} isOverridden
 * @property {boolean} isChangedFromDefault
 * @property {boolean} isPinned
 * @property {boolean} isExpired
 * @property {{ code: string, message: string }} [refusal]
 */
/** @typedef {{ id: string, title: string, places: string }} Part */
/** @typedef {{ id: string, name?: string }} Author */
/**
 * @typedef {object} Edit
 * @property {number} id
 * @property {string} title
 * @property {string[]} flags
 * @property {number} flagCount
 * @property {string} time
 * @property {Author} [author]
 * @property {boolean} isUndone
 */
/** @typedef {{ flag: string, key: string, old?: Value, new?: Value, expires?: string }} Difference */

export {};
