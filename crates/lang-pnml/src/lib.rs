//! PNML, the Petri net markup language: text in, a net out. Coloured nets are unfolded.
