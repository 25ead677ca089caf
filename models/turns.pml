/* Two workers share a printer. Each takes the lock in one atomic step, so that no other can come between the look at the lock
 * and the taking of it, prints some pages and lets go. The assertion in the middle says that nobody else prints. */

#define PAGES 2

byte printing = 0;          /* how many print now */
bool locked = false;

active [2] proctype Worker() {
	byte page;

	do
	:: atomic { !locked -> locked = true; printing++ };
	   page = 0;
	   do
	   :: page < PAGES -> assert(printing == 1); page++
	   :: page == PAGES -> break
	   od;
	   atomic { printing--; locked = false }
	od
}
