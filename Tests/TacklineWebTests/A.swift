#if Web
import Testing
#endif
