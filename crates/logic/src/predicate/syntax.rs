//! The predicate language in the words of a user, for `--help`.

/// What can be written, and what it means.
pub const SYNTAX: &str = "\
Predicates are expressions over the model's slots, in 64-bit integers; zero is false, all else is true.
  x, P_0.x, queue[2], queue[x + 1]   a variable; a variable of a process; a cell of an array
  P_0.CS                             1 where process P_0 stands at CS, else 0 (any slot with named values)
  P_0 == CS, P_0 == \"CS\"             the same as a comparison
  P_0->x                             the same as P_0.x; the variable where P_0 also has a state x
  Philosopher(0).eating              a process made from a template
  P(2).x, P_2.x, P.x                 the same as P[2].x, as runs of Promela name it; the only process P
  len(c), empty(c), full(c)          the messages in a channel; nempty(c), nfull(c)
  c[0], c.1[0], c[0].1               the oldest message in it; a field of that, from 0 on; 0 where there is none
  `odd name`                         a name with other characters, in backticks; \\[ \\] \\. are [ ] .
Names are no numbers: P_0 == CS and P_0 != P_1 (with the same values) can be asked, P_0 > 0 and P_0 + 1 cannot.
Where all values of a slot are integers, as in an ETF sort of \"10\" and \"20\", they count as these integers.
Operators, from the tightest to the loosest:
  - ~ !     * / %     + -     << >>     < <= > >=     == = !=     &     ^     |
  && and    || or     -> => imply (to the right)      <->
  !x == 2 is !(x == 2); a chain as in 0 <= x <= 3 is refused: write 0 <= x && x <= 3.
  &&, || and -> look at their right side only where it matters.
Literals: integers as 10 or 0x0A, true, false. A comment goes from // to the end of the line.";
