import { parentPort, workerData } from 'node:worker_threads'
import type { Call } from './read-apart.adapter.ts'

/** A thread that calls one function of one module, and ends. */
const { module, name, given } = workerData as Call
const functions: Record<string, (...given: readonly unknown[]) => unknown> = await import(module)
parentPort!.postMessage(functions[name]!(...given))
