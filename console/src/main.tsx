// Starts the console.

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Routes } from './routes.tsx'
import './ui/style.css'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')
createRoot(root).render(
  <StrictMode>
    <Routes />
  </StrictMode>,
)
